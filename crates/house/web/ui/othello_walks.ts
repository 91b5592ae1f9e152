// Where a line that a text of Othello names goes on from, and how far it can be played.
import { longestWalk, type TextLine, type Walk } from "./lines";
import { type Course, courseWithLine } from "./othello_rules";
import { fillText } from "./texts";

/**
 * How a line can be walked through that a text about the move of this number names. It begins in place of the move or after it: wherever more of it is legal.
 * `label`: what its button says. `told`: the place to which who leaves the line comes back, if it is another one than that from which the line goes on.
 */
export function walkOfMove(course: Course, { moves }: TextLine, number: number, label: string, told?: number): Walk | null {
  const squares = moves.map(({ vertex }) => vertex), places = [number - 1, number].filter((place) => place >= 0 && place < course.places.length);
  return longestWalk(places.map((node) => {
    const walked = courseWithLine(course, node, squares).moves.slice(node);
    return { node, moves: walked, label: fillText(label, { line: walked.join(" ") }), ...(told !== undefined && { told }) };
  }));
}
