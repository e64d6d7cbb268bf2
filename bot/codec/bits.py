"""A row of bits as URL-safe characters: what fits into a button of any platform."""

from string import ascii_lowercase, ascii_uppercase, digits

ALPHABET = ascii_uppercase + ascii_lowercase + digits + "-_"
VALUE = {character: value for value, character in enumerate(ALPHABET)}
LENGTH_BITS = 5
LARGEST = 2**31 - 1
"""The largest number that `BitWriter.number` can write."""


class CannotPackError(ValueError):
    """This value has no place in a packed query."""


class BrokenError(ValueError):
    """The characters are not a packed query."""


class BitWriter:
    """Collects numbers of known or self-told width."""

    def __init__(self) -> None:
        self._value = 0
        self._width = 0

    def bits(self, value: int, width: int) -> None:
        """`value` in exactly `width` bits. Raises CannotPackError when it does not fit."""
        if not 0 <= value < 1 << width:
            raise CannotPackError(value)
        self._value = self._value << width | value
        self._width += width

    def number(self, value: int) -> None:
        """A number up to LARGEST, small ones in few bits: its length, then its bits after the leading one."""
        if not 0 <= value <= LARGEST:
            raise CannotPackError(value)
        width = value.bit_length()
        self.bits(width, LENGTH_BITS)
        if width > 1:
            self.bits(value - (1 << width - 1), width - 1)

    def text(self) -> str:
        """All bits as characters of the alphabet, padded with zeros."""
        spare = -self._width % 6
        value = self._value << spare
        return "".join(ALPHABET[value >> at & 63] for at in range(self._width + spare - 6, -1, -6))


class BitReader:
    """Reads what BitWriter wrote. Raises BrokenError at characters that it did not write."""

    def __init__(self, text: str) -> None:
        self._left = 6 * len(text)
        self._value = 0
        for character in text:
            if character not in VALUE:
                raise BrokenError(character)
            self._value = self._value << 6 | VALUE[character]

    def bits(self, width: int) -> int:
        """The next `width` bits as a number."""
        if width > self._left:
            raise BrokenError("too short")
        self._left -= width
        return self._value >> self._left & (1 << width) - 1

    def number(self) -> int:
        """The next number of self-told width."""
        width = self.bits(LENGTH_BITS)
        return 0 if width == 0 else 1 << width - 1 | self.bits(width - 1)

    def end(self) -> None:
        """Only padding may be left."""
        if self._left > 5 or self.bits(self._left):
            raise BrokenError("too long")
