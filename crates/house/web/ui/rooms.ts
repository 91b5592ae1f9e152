// What lessons do with the game of their room.
import type { TextLine, Walk } from "./lines";

/** A board on which lines are walked through. */
export interface WalkBoard {
  /** Shows a line from a place of the record, by its number: in Go with colours ("B D4"), in Othello squares. `told`: the place whose text names the line, if it is another one. */
  showLineFrom(place: number, moves: readonly string[], told?: number): void;
  /** How a line can be walked through that a text about this place and the move that leads there names; nothing if it cannot. */
  walkOfPlace(line: TextLine, place: number): Walk | null;
}

export interface LessonBoard extends WalkBoard {
  /** Goes to the place before the move of this number. */
  goBefore(number: number): void;
  isBefore(number: number): boolean;
  /** Shows a line from here. */
  showLine(moves: readonly string[]): void;
  /** How a line can be walked through that a text about the move of this number names; nothing if it cannot. */
  walkOfLesson(line: TextLine, number: number): Walk | null;
  /** The same of an answer about this place, whose own lines are known; only in Go. */
  walkOfAnswer?(line: TextLine, place: number, known: readonly (readonly string[])[]): Walk | null;
  /** What is said of the way to the move of this number that a text of the review or a lesson tells; nothing if there is none. */
  nameMove(number: number): string | null;
  /** Lights points, each alone or the area around them. */
  light(vertices: readonly string[], isWide: boolean): void;
}

/** The games that the page has; each room puts its own here. A card is a mistake that is asked again. */
export const rooms: { go: LessonBoard | null; othello: LessonBoard | null; card: WalkBoard | null } = { go: null, othello: null, card: null };
