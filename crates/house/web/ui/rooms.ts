// What lessons do with the game of their room.

export interface LessonBoard {
  /** Goes to the place before the move of this number. */
  goBefore(number: number): void;
  isBefore(number: number): boolean;
  /** Shows a line from here: in Go with colours ("B D4"), in Othello squares. */
  showLine(moves: readonly string[]): void;
  /** The same from a place of the record, by its number; only in Go. */
  showLineFrom?(node: number, moves: readonly string[]): void;
  /** Lights points, each alone or the area around them. */
  light(vertices: readonly string[], isWide: boolean): void;
}

/** The games that the page has; each room puts its own here. */
export const rooms: { go: LessonBoard | null; othello: LessonBoard | null } = { go: null, othello: null };
