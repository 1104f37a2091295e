/**
 * Kernels: operators that the tensor API does not offer, written as TorchScript source.
 *
 * <p>A TorchScript module is a zip whose code is plain text. {@link
 * org.lengthwise.positional.kernel.TorchScriptArchive} packs source kept among the resources into
 * such a zip, and {@link org.lengthwise.positional.kernel.KernelModule} loads it and runs its
 * methods with gradients recorded, so that fused attention, losses and optimisers, and regions
 * computed in bfloat16, are reached without native code of our own.
 */
@NullMarked
package org.lengthwise.positional.kernel;

import org.jspecify.annotations.NullMarked;
