# SPDX-License-Identifier: Apache-2.0
"""Reads 8- and 16-bit grey PNG files with the standard library, for comparison with the program."""

import struct
import zlib

import numpy


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length


def paeth(left, above, corner):
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))


def unfilter(kind, line, above, step):
    """Undoes the filter of one line of bytes."""
    if kind == 0:
        return line
    if kind == 2:
        return bytes((a + b) & 255 for a, b in zip(line, above))
    done = bytearray(len(line))
    for i, value in enumerate(line):
        left, corner = (done[i - step], above[i - step]) if i >= step else (0, 0)
        add = {1: left, 3: (left + above[i]) // 2, 4: paeth(left, above[i], corner)}[kind]
        done[i] = (value + add) & 255
    return bytes(done)


def read(path):
    """The image indexed [x, y, z], with one slice."""
    found = list(chunks(path.read_bytes()))
    width, height, bits, colour, _, _, interlace = struct.unpack(">IIBBBBB", dict(found)[b"IHDR"])
    assert bits in (8, 16) and colour == 0 and interlace == 0, f"{path}: not a plain grey image"
    step = bits // 8
    stream = zlib.decompress(b"".join(body for name, body in found if name == b"IDAT"))
    size = width * step + 1
    lines = [bytes(width * step)]
    for start in range(0, height * size, size):
        lines.append(unfilter(stream[start], stream[start + 1 : start + size], lines[-1], step))
    pixels = numpy.frombuffer(b"".join(lines[1:]), f">u{step}").reshape(height, width)
    return pixels.T[:, :, None]


def scale_of(path):
    """What a level of 1 is in samples: as the file's mark says, else the largest sample."""
    for name, body in chunks(path.read_bytes()):
        if name == b"tEXt" and body.startswith(b"crema levels\0"):
            return int(body.split(b"\0")[1])
    return numpy.iinfo(read(path).dtype).max
