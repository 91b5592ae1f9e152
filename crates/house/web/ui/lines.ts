// Points of Go and squares of Othello that a text names, and lines of moves: `B D4, W Q16`, `黒D4・白Q16`, `D4 Q16 C3`, `1. D4 2. Q16`, and of Othello
// `f5 d6` or `f5d6`. Points with commas alone between them (`D4, Q16`) are no line: they may be choices.

/** Points of Go. */
export const VERTEX = /(?<![A-Za-z0-9])([A-HJ-T](?:1\d|2[0-5]|[1-9]))(?![A-Za-z0-9])/;

/** Squares of Othello; those of a line stand one behind the other at times. */
export const SQUARE = /(?<=(?<![A-Za-z0-9])(?:[a-h][1-8])*)([a-h][1-8])(?=(?:[a-h][1-8])*(?![A-Za-z0-9]))/;

/** A move that a text names. Without a colour it follows the move before it. */
export interface TextMove {
  readonly color: "B" | "W" | null;
  readonly vertex: string;
}

export interface TextLine {
  readonly moves: readonly TextMove[];
  /** What its sentence says before it. */
  readonly before: string;
}

/** How the page walks through such a line: the place from which it goes on, and its moves as the room has them. */
export interface Walk {
  readonly node: number;
  readonly moves: readonly string[];
  /** What the button says that begins it. */
  readonly label: string;
  /** The place whose text this is, if it is another one: who leaves the line is there again. */
  readonly told?: number;
}

/** Gives the way to walk through a line; nothing where it cannot be played. */
export type FindWalk = (line: TextLine) => Walk | null;

/** A text in pieces. A line comes behind its last point. */
export type TextPiece = string | { readonly vertex: string } | TextLine;

const COLOR = /(?:(?<![A-Za-z])(?:([Bb]lack|B)|([Ww]hite|W))|(黒|白))[\s:：]*$/;
// What may stand between two moves, where the second one has a colour and where it has none. A number 1 begins a line.
const BEFORE_COLOR = /^[\s,、，・→>–—-]*(?:(?!1\b)\d{1,3}[.:)]?\s*)?$/;
const BEFORE_POINT = /^(?:[ \t]*(?:->|[→>・–—-])?[ \t]*|[\s,、，]+(?!1\b)\d{1,3}[.:)][ \t]*)$/;

interface Found extends TextMove {
  /** What stands between the move before and this one, without its colour. */
  readonly gap: string;
}

function readMove(before: string, vertex: string): Found {
  const color = COLOR.exec(before);
  if (!color) return { color: null, vertex, gap: before };
  return { color: color[1] || color[3] === "黒" ? "B" : "W", vertex, gap: before.slice(0, color.index) };
}

// Letters of marks (`A D4, B Q16`) are no colours.
const followsOn = ({ color, gap }: Found, before: readonly Found[]): boolean => color ? before.some((move) => move.color) && BEFORE_COLOR.test(gap) : BEFORE_POINT.test(gap);
const sentenceEnd = (text: string): string => text.split(/[.。!！?？\n]/).at(-1) ?? "";

/** A text in pieces: what stands between, points, and behind the last point of a line the line. */
export function cutText(text: string, pattern: RegExp): readonly TextPiece[] {
  const parts = text.split(pattern), pieces: TextPiece[] = [];
  let moves: Found[] = [], before = "", told = "";
  const endLine = () => {
    if (moves.length > 1) pieces.push({ moves: moves.map(({ color, vertex }) => ({ color, vertex })), before });
    moves = [];
  };
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const move = readMove(parts[at], parts[at + 1]);
    if (!moves.length || !followsOn(move, moves)) {
      endLine();
      before = sentenceEnd(told + move.gap);
    }
    moves.push(move);
    pieces.push(parts[at], { vertex: move.vertex });
    told += parts[at] + move.vertex;
  }
  endLine();
  return [...pieces, parts.at(-1) ?? ""];
}

/** Does a text say of such a line that it comes in place of the move that the text is about? */
export const isInstead = ({ before }: TextLine): boolean => /not played|instead|better|打たないと|打たなければ|代わりに|もっと良い|最善/i.test(before);

/** Of several ways the one that has most moves, the first of these; a way has two at least. */
export function longestWalk(walks: readonly Walk[]): Walk | null {
  return walks.reduce<Walk | null>((best, walk) => walk.moves.length > (best?.moves.length ?? 1) ? walk : best, null);
}
