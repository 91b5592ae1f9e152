// The rules of Othello, for lines that are walked through. Squares are `d3`; cells count from the left upper corner, row by row.
import type { OthelloPlace, OthelloWords, Sign } from "./server";
import { fillText } from "./texts";

export const cellOf = (square: string): number => square.charCodeAt(0) - 97 + 8 * (Number(square[1]) - 1);
export const squareOf = (cell: number): string => String.fromCharCode(97 + cell % 8) + (Math.floor(cell / 8) + 1);
/** Squares that stand one behind the other: `d3c4`. */
export const pairs = (text: string): string[] => text.match(/../g) ?? [];
export const isDisc = (sign: string | undefined): sign is Sign => sign === "X" || sign === "O";
export const otherOf = (sign: Sign): Sign => sign === "X" ? "O" : "X";

/** Discs that turn in one direction. */
function flipsAlong(cells: string, cell: number, mover: Sign, dx: number, dy: number): number[] {
  const run: number[] = [];
  let x = cell % 8 + dx, y = Math.floor(cell / 8) + dy;
  for (; x >= 0 && x < 8 && y >= 0 && y < 8; x += dx, y += dy) {
    const sign = cells[x + 8 * y];
    if (sign === mover) return run;
    if (!isDisc(sign)) return [];
    run.push(x + 8 * y);
  }
  return [];
}

const AXES = [-1, 0, 1];
const DIRECTIONS = AXES.flatMap((dx) => AXES.map((dy) => [dx, dy] as const)).filter(([dx, dy]) => dx || dy);

/** Discs that a move turns; none if it is not legal. */
export function flipsOf(cells: string, cell: number, mover: Sign): number[] {
  return isDisc(cells[cell]) ? [] : DIRECTIONS.flatMap(([dx, dy]) => flipsAlong(cells, cell, mover, dx, dy));
}

function legalOf(cells: string, mover: Sign): string {
  return [...cells].flatMap((_, cell) => flipsOf(cells, cell, mover).length ? [squareOf(cell)] : []).join("");
}

/** The place after a move; nothing if it is not legal. Who cannot move passes. */
export function placeAfter([before, mover]: OthelloPlace, square: string): OthelloPlace | null {
  const cell = cellOf(square), flipped = mover ? flipsOf(before, cell, mover) : [];
  if (!mover || !flipped.length) return null;
  const signs = [...before], other = otherOf(mover);
  for (const each of [cell, ...flipped]) signs[each] = mover;
  const cells = signs.join(""), [answers, again] = [legalOf(cells, other), legalOf(cells, mover)];
  if (answers) return [cells, other, answers, false];
  return again ? [cells, mover, again, true] : [cells, "", "", false];
}

/** Discs of one side. */
export const countDiscs = (cells: string, sign: string): number => cells.split(sign).length - 1;

/** A game as it goes on: its places, and the moves between them. */
export interface Course {
  readonly places: readonly OthelloPlace[];
  readonly moves: readonly string[];
}

/** The move that leads to a place, for screen readers; nothing if none does. */
export function sayMove({ places, moves }: Course, at: number, words: OthelloWords): string {
  const square = moves[at - 1];
  if (!square) return "";
  const [before, color] = places[at - 1], [after] = places[at];
  const count = [...after].filter((sign, cell) => before[cell] !== sign && isDisc(before[cell])).length;
  return `${at}. ${fillText(words.plays, { color: color ? words[color] : "", square, count })}`;
}

/** Squares with discs of one side. */
export const listDiscs = (cells: string, sign: Sign): string[] => [...cells].flatMap((each, cell) => each === sign ? [squareOf(cell)] : []);

/** The course with a line after so many moves, as far as it is legal. */
export function courseWithLine({ places, moves }: Course, at: number, squares: readonly string[]): Course {
  const walked = { places: places.slice(0, at + 1), moves: moves.slice(0, at) };
  for (const square of squares) {
    const place = placeAfter(walked.places[walked.places.length - 1], square);
    if (!place) break;
    walked.places.push(place);
    walked.moves.push(square);
  }
  return walked;
}

/**
 * The next of these moves (1), or the last one before (-1), as seen from the place after so many moves. Who is in a line (`from`: where it begins) has the
 * place from which it goes on behind him. Nothing if there is none.
 */
export function nextFault(numbers: readonly number[], by: number, at: number, from: number | null): number | undefined {
  const sorted = [...numbers].sort((a, b) => a - b), here = from ?? at;
  return by > 0 ? sorted.find((number) => number > here) : sorted.reverse().find((number) => number < here || from !== null && number === here);
}
