/**
 * Files and folders that are either complete or absent, and the checksums of their content.
 *
 * <p>Invariants: a file or folder gets its name by a rename, after its content has reached the
 * disk. A folder is complete if and only if it holds the marker {@code DONE}. Files of a killed
 * process are named {@code .NAME.partial} and {@code .NAME.lock}. The next process that writes NAME
 * deletes them, or resumes if the artifact is resumable. Two processes never write the same folder
 * at the same time.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.artifact;

import org.jspecify.annotations.NullMarked;
