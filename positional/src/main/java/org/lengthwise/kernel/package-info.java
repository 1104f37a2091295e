/**
 * Kernels: operators that the tensor API does not have, written as TorchScript source.
 *
 * <p>A TorchScript module is a zip file that contains its code as plain text. {@link
 * org.lengthwise.kernel.TorchScriptArchive} packs a source file from the resources into such a zip.
 * {@link org.lengthwise.kernel.KernelModule} loads it and runs its methods, with gradients. So
 * fused attention, losses, optimizers and parts in bfloat16 need no native code of our own.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.kernel;

import org.jspecify.annotations.NullMarked;
