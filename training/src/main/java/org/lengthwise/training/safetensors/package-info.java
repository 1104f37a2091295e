/**
 * Files in safetensors format, read and written tensor by tensor.
 *
 * <p>A file is the length of its header (8 bytes, little-endian), the header (a JSON object: for
 * each tensor its {@code dtype}, {@code shape} and {@code data_offsets}, and under {@code
 * __metadata__} an object of strings) and the tensors' bytes, row-major and little-endian.
 *
 * <p>Implementation note: the engine's own codec holds all tensors at once, is limited to 2 GiB,
 * and crashes the process at a bfloat16 tensor, which is common in files of other software. This
 * one holds one tensor at a time, and converts float16 and bfloat16 to float32 without rounding.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.safetensors;

import org.jspecify.annotations.NullMarked;
