/**
 * Files in safetensors format, read and written tensor by tensor.
 *
 * <p>A file is the length of its header (8 bytes, little-endian), the header (a JSON object: for
 * each tensor its {@code dtype}, {@code shape} and {@code data_offsets}, and under {@code
 * __metadata__} an object of strings) and the tensors' bytes, row-major and little-endian.
 *
 * <p>Implementation note: the engine's own codec holds all tensors at once, in 2 GiB at most, and
 * ends the process at a bfloat16 tensor, of which other software's files are full. Here one tensor
 * is in memory at a time, and float16 and bfloat16 become the float32 numbers that they are.
 */
@NullMarked
package org.lengthwise.training.safetensors;

import org.jspecify.annotations.NullMarked;
