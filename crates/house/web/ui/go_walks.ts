// Where a line that a text of Go names goes on from, and how far it can be played.
import { longestWalk, type TextLine, type Walk } from "./lines";
import { fillText } from "./texts";
import type { PageGame } from "./tree";

/** The moves of a line after a node, as far as they can be played there. */
function playableMoves(game: PageGame, node: number, line: TextLine): string[] {
  let board = game.board(node), color: "B" | "W" = board.toMove === 1 ? "B" : "W";
  const moves: string[] = [];
  for (const move of line.moves) {
    color = move.color ?? color;
    const after = game.boardWith(board, color, move.vertex);
    if (!after) break;
    moves.push(`${color} ${move.vertex}`);
    board = after;
    color = color === "B" ? "W" : "B";
  }
  return moves;
}

/** The nodes after which a line of a text about this node may begin, the likeliest first: its move is there already, or the line comes in its place. */
function beginnings(game: PageGame, line: TextLine, node: number): number[] {
  const { p, m } = game.nodes[node], [first] = line.moves;
  if (!m || p < 0) return [node];
  const isOwn = game.cellOf(first.vertex) === game.cellOfMove(node) && (first.color ?? m[0]) === m[0];
  return isOwn || first.color === m[0] || line.isInstead ? [p, node] : [node, p];
}

const nameMoves = (moves: readonly string[]) => moves.map((move) => move.split(" ")[1]).join(" ");

/** How a line can be walked through that begins after one of these nodes. */
export function walkAfter(game: PageGame, line: TextLine, nodes: readonly number[], told?: number): Walk | null {
  return longestWalk(nodes.map((node) => {
    const moves = playableMoves(game, node, line), label = fillText(game.words.walk, { line: nameMoves(moves) });
    return { node, moves, label, ...(told !== undefined && { told }) };
  }));
}

/** How a line of a text about this node can be walked through. */
export function walkOf(game: PageGame, line: TextLine, node: number): Walk | null {
  return walkAfter(game, line, beginnings(game, line, node), node);
}

/** The walk of a line that stands in one of these, which begin after a node: what comes before it is played first. */
export function walkWithin(game: PageGame, line: TextLine, node: number, known: readonly (readonly string[])[]): Walk | null {
  const names = line.moves.map(({ vertex }) => vertex).join(" ");
  for (const moves of known) {
    const at = ` ${nameMoves(moves)} `.indexOf(` ${names} `);
    if (at < 0) continue;
    const count = nameMoves(moves).slice(0, at).split(" ").filter(Boolean).length + line.moves.length;
    return { node, moves: moves.slice(0, count), label: fillText(game.words.walk, { line: names }) };
  }
  return null;
}
