/** Tests of preparation as a MapReduce job. */
@NullMarked
package org.lengthwise.dataprep.mapreduce;

import org.jspecify.annotations.NullMarked;
