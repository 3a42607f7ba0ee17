"""Small pictures of one colour in every format that rigs hold."""

import base64
import struct
import zlib

COLOR = (192, 128, 64, 255)

# Of 8 x 8 texels, made by Chromium.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQIBAQEBAQIBAQECAgICAgICAgIDAwQDAwMDAwICAwQDAwQE"
    "BAQEAgMFBQQEBQQEBAT/2wBDAQEBAQEBAQIBAQIEAwIDBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"
    "BAQEBAQEBAT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA"
    "FAEBAAAAAAAAAAAAAAAAAAAACf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ALAAKclD/9k=")
WEBP = base64.b64decode(
    "UklGRh4AAABXRUJQVlA4TBEAAAAvB8ABAAdQwAIXqP+BiOh/AAA=")


def png(color=COLOR):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress((b"\0" + bytes(color) * 2) * 2)) + chunk(b"IEND", b""))


def tga(color=COLOR):
    red, green, blue, alpha = color
    return bytes([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 32, 8]) + bytes([blue, green, red, alpha]) * 4


def bmp(color=COLOR):
    red, green, blue, _ = color
    row = bytes([blue, green, red]) * 2 + b"\0\0"
    return (b"BM" + struct.pack("<IHHI", 54 + 16, 0, 0, 54) +
            struct.pack("<IiiHHIIiiII", 40, 2, 2, 1, 24, 0, 16, 2835, 2835, 0, 0) + row * 2)


def ktx2(color=COLOR):
    """Four texels of eight bits a channel, sRGB, not packed."""
    samples = b"".join(struct.pack("<HBBIII", 8 * c, 7, [0, 1, 2, 31][c], 0, 0, 255) for c in range(4))
    basic = struct.pack("<IHHBBBB", 0, 2, 24 + len(samples), 1, 1, 2, 0) + bytes(4) + bytes([4, *bytes(7)]) + samples
    described = struct.pack("<I", 4 + len(basic)) + basic
    start = 80 + 24
    level = -(-(start + len(described)) // 4) * 4
    return (b"\xabKTX 20\xbb\r\n\x1a\n" + struct.pack("<9I", 43, 1, 2, 2, 0, 0, 1, 1, 0) +
            struct.pack("<4I2Q", start, len(described), 0, 0, 0, 0) + struct.pack("<3Q", level, 16, 16) +
            (described + b"\0" * level)[:level - start] + bytes(color) * 4)
