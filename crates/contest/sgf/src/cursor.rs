//! The bytes of a file, read from front to back, with line and column.

use encoding_rs::{Encoding, UTF_8};

use crate::encoding::CharacterStepper;
use crate::warning::FileLocation;

/// A position in the bytes. Copying it is how the reader goes back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteCursor<'a> {
    bytes: &'a [u8],
    at: usize,
    place: FileLocation,
    stepper: CharacterStepper,
    utf8: bool,
    /// The bytes were UTF-16 in the file: offsets are counted as they were there.
    utf16: bool,
    /// Length of the file: half a character at the end of UTF-16 does not count as one.
    end: u32,
}

impl<'a> ByteCursor<'a> {
    /// At the start; `mark` bytes of the file of `length` bytes came before.
    pub(crate) fn new(bytes: &'a [u8], mark: usize, length: usize, utf16: bool) -> ByteCursor<'a> {
        let place = FileLocation { offset: mark as u32, line: 1, column: 1 };
        ByteCursor {
            bytes,
            at: 0,
            place,
            stepper: CharacterStepper::new(UTF_8),
            utf8: true,
            utf16,
            end: length as u32,
        }
    }

    pub(crate) fn set_encoding(&mut self, encoding: &'static Encoding) {
        self.stepper = CharacterStepper::new(encoding);
        self.utf8 = encoding == UTF_8;
    }

    pub(crate) fn place(&self) -> FileLocation {
        self.place
    }

    /// Index into the bytes.
    pub(crate) fn byte_index(&self) -> usize {
        self.at
    }

    pub(crate) fn peek_byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(crate) fn remaining_bytes(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub(crate) fn bytes_since(&self, start: usize) -> &'a [u8] {
        &self.bytes[start..self.at]
    }

    /// Goes over one byte.
    pub(crate) fn advance_byte(&mut self) {
        let Some(byte) = self.peek_byte() else { return };
        let width = match byte {
            _ if !self.utf16 => 1,
            0x80..=0xbf => 0,
            0xf0.. => 4,
            _ => 2,
        };
        self.place.offset = (self.place.offset + width).min(self.end);
        let after_cr = self.at > 0 && self.bytes[self.at - 1] == b'\r';
        match byte {
            b'\n' if after_cr => {}
            b'\n' | b'\r' => {
                self.place.line += 1;
                self.place.column = 1;
            }
            0x80..=0xbf if self.utf8 => {}
            _ => self.place.column += 1,
        }
        self.at += 1;
    }

    /// The length of the character here, in bytes.
    pub(crate) fn character_length(&mut self) -> usize {
        self.stepper.next_character_length(&self.bytes[self.at..])
    }

    /// Goes over a character of `length` bytes, as [`ByteCursor::character_length`] gave it.
    pub(crate) fn advance_character(&mut self, length: usize) {
        if length == 1 {
            return self.advance_byte();
        }
        let length = length.min(self.bytes.len() - self.at);
        self.at += length;
        self.place.offset += length as u32;
        self.place.column += 1;
    }

    pub(crate) fn skip_whitespace(&mut self) {
        while self.peek_byte().is_some_and(|b| b.is_ascii_whitespace() || b == 0x0b) {
            self.advance_byte();
        }
    }
}
