// A game of Go as a page has it: the tree with its boards. Places are numbers of nodes. The room of Go (go_game.tsx) and pages that are shared
// (shared_go.tsx) step through it.
import type { Drawn, GoGameJson, GoWords, NodeJson, ReviewRow } from "./server";
import { fillText } from "./texts";

export const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
// Boards that are remembered.
const BOARDS = 4000;

/** Nobody, Black, White. */
export type Stone = 0 | 1 | 2;

/** What stands after a node. */
export interface GoBoard {
  /** Of each point, row by row from the top: 1 is black, 2 is white. */
  readonly cells: Int8Array;
  /** Prisoners that Black and White have. */
  readonly taken: [black: number, white: number];
  toMove: 1 | 2;
  moves: number;
  /** The point of the last move; -1 if there is none. */
  last: number;
  /** What the last move took. */
  captured: number;
}

/** A node with what is known of it here. */
interface TreeNode {
  readonly p: number;
  readonly m?: string;
  c?: string;
  readonly d: Drawn;
  children: number[];
  /** Forward steps lead there. */
  through?: number;
  place?: string;
}

/** A name that is the same for the same text, such as the moves and set-up that lead to a place, in any revision and tab. */
export function nameOfPlace(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

function treeNodes(nodes: readonly NodeJson[]): TreeNode[] {
  const tree: TreeNode[] = nodes.map((node, index) => ({ ...node, p: node.p ?? index - 1, d: node.d ?? {}, children: [] }));
  tree.forEach((node, index) => { if (index) tree[node.p].children.push(index); });
  return tree;
}

export class PageGame {
  readonly columns: number;
  readonly rows: number;
  readonly nodes: TreeNode[];
  /** The node where the server's table stands. */
  readonly node: number;
  readonly review: readonly ReviewRow[] | null;
  /** Nodes from here on are a line that is only shown. */
  readonly own: number;
  current = 0;
  /** The node whose text names the line that is shown, if it is not the one from which the line goes on. */
  told: number | undefined;
  private readonly isWhiteFirst: boolean;
  private readonly boards = new Map<number, GoBoard>();

  constructor(known: GoGameJson, public words: GoWords) {
    [this.columns, this.rows] = known.size;
    this.node = known.node;
    this.review = known.review;
    this.isWhiteFirst = known.first === "W";
    this.nodes = treeNodes(known.nodes);
    this.own = this.nodes.length;
    this.stand(this.node);
  }

  isInLine(index = this.current): boolean {
    return index >= this.own;
  }

  /** The node from which the line that is shown goes on. */
  lineBase(): number | undefined {
    return this.nodes[this.own]?.p;
  }

  /** The node that the server knows. */
  ownPlace(): number {
    return this.isInLine() ? this.lineBase() ?? 0 : this.current;
  }

  /** Where who leaves the line is again. */
  lineReturn(): number | undefined {
    return this.told ?? this.lineBase();
  }

  /** The node whose text is read: that of a line is the text where it was found. */
  textPlace(): number {
    return this.isInLine() ? this.lineReturn() ?? 0 : this.current;
  }

  /** Adds moves ("B D4") after this place, to be walked through, and goes to the first. False if there is none. `told`: the node whose text names them. */
  showLine(moves: readonly string[], told?: number): boolean {
    this.leaveLine();
    let parent = this.current;
    for (const text of moves) {
      const [color, vertex] = text.split(" "), cell = this.cellOf(vertex);
      if (cell < 0) break;
      this.nodes.push({ p: parent, m: color + this.point(cell), d: {}, children: [] });
      const index = this.nodes.length - 1;
      this.nodes[parent].children.push(index);
      parent = index;
    }
    if (this.nodes.length === this.own) return false;
    this.told = told;
    this.stand(parent);
    this.stand(this.own);
    return true;
  }

  leaveLine(): void {
    const base = this.lineBase();
    if (base === undefined) return;
    const before = this.nodes[base];
    before.children = before.children.filter((child) => child < this.own);
    if (before.through !== undefined && before.through >= this.own) delete before.through;
    const isThere = this.isInLine(), back = this.lineReturn() ?? base;
    this.told = undefined;
    this.nodes.length = this.own;
    for (const index of this.boards.keys()) if (index >= this.own) this.boards.delete(index);
    if (isThere) this.stand(back);
  }

  /** Goes to a node; forward steps lead through it from now on. */
  stand(index: number): void {
    this.current = index;
    for (let at = index; at > 0; at = this.nodes[at].p) this.nodes[this.nodes[at].p].through = at;
  }

  /** The node to which a step forward leads. */
  next(index: number): number | undefined {
    return this.nodes[index].through ?? this.nodes[index].children[0];
  }

  /** The nodes from the root through the place to the end. */
  line(): number[] {
    const line = this.path();
    for (let at = this.next(this.current); at !== undefined; at = this.next(at)) line.push(at);
    return line;
  }

  /** The last node of that line. */
  lineEnd(): number {
    return this.line().at(-1) ?? 0;
  }

  /** The nodes from the root to the place. */
  path(): number[] {
    const path = [];
    for (let at = this.current; at >= 0; at = this.nodes[at].p) path.push(at);
    return path.reverse();
  }

  /** So many steps on (or back), as far as there are any. */
  stepped(steps: number): number {
    let at = this.current;
    for (let left = Math.abs(steps); left > 0; left -= 1) {
      const next = steps < 0 ? this.nodes[at].p : this.next(at);
      if (next === undefined || next < 0) break;
      at = next;
    }
    return at;
  }

  /** The node of the move of this number in the line; the end, if it has fewer. */
  nodeOfMove(number: number): number {
    let moves = 0;
    if (number <= 0) return 0;
    return this.line().find((at) => this.nodes[at].m && (moves += 1) === number) ?? this.lineEnd();
  }

  /** The node of the move of this number, as a text tells it: a text of the review means the line that was reviewed. Nothing if there is none. */
  nodeOfTold(number: number, isOfReview: boolean): number | undefined {
    const reviewed = isOfReview ? this.review?.[number - 1]?.[0] : undefined;
    return reviewed ?? (number > 0 && number <= this.countMoves() ? this.nodeOfMove(number) : undefined);
  }

  /** What is said of the way to such a move; nothing if there is none, or if a remark tells its own move. */
  nameOfTold(number: number, isOfReview: boolean): string | null {
    if (!isOfReview && number === this.board(this.textPlace()).moves) return null;
    return this.nodeOfTold(number, isOfReview) === undefined ? null : fillText(this.words.moveNumber, { number });
  }

  /** The next reviewed move that lost something, or the one before (-1): of this colour, or of both if it is none. */
  mistake(by: number, color: string): number | undefined {
    const rows = this.review ?? [], path = new Set(this.path()), at = rows.filter(([node]) => path.has(node)).length;
    const isWanted = ([node, , , badge]: ReviewRow) => badge !== null && node !== this.current && (color === "" || this.nodes[node].m?.[0] === color);
    const found = by > 0 ? rows.slice(at) : rows.slice(0, at).reverse();
    return found.find(isWanted)?.[0];
  }

  /** Moves in the line. */
  countMoves(): number {
    return this.line().filter((at) => this.nodes[at].m).length;
  }

  /** A point as SGF writes it, as an index of cells; rows count from the top. -1 if it is not on the board. */
  cell(point: string): number {
    const column = point.charCodeAt(0) - 97, row = point.charCodeAt(1) - 97;
    return point.length === 2 && column >= 0 && row >= 0 && column < this.columns && row < this.rows ? row * this.columns + column : -1;
  }

  /** The point of a node's move; -1 if it has none. */
  cellOfMove(index: number): number {
    return this.cell(this.nodes[index].m?.slice(1) ?? "");
  }

  /** Points of a list, rectangles written out. */
  cells(values: readonly string[] | undefined): number[] {
    return (values ?? []).flatMap((value) => {
      const [from, to] = value.split(":");
      if (to === undefined) return this.cell(from) >= 0 ? [this.cell(from)] : [];
      const [a, b] = [this.cell(from), this.cell(to)], found: number[] = [];
      if (a < 0 || b < 0) return [];
      const [left, right] = [a % this.columns, b % this.columns].sort((x, y) => x - y);
      const [top, bottom] = [Math.floor(a / this.columns), Math.floor(b / this.columns)].sort((x, y) => x - y);
      for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) found.push(row * this.columns + column);
      return found;
    });
  }

  vertex(cell: number): string {
    return LETTERS[cell % this.columns] + (this.rows - Math.floor(cell / this.columns));
  }

  cellOf(vertex: string): number {
    const column = LETTERS.indexOf(vertex[0]), row = this.rows - Number(vertex.slice(1));
    return column >= 0 && column < this.columns && row >= 0 && row < this.rows ? row * this.columns + column : -1;
  }

  point(cell: number): string {
    return String.fromCharCode(97 + cell % this.columns, 97 + Math.floor(cell / this.columns));
  }

  /** What stands after a node. */
  board(index: number): GoBoard {
    const missing: number[] = [];
    let at = index;
    while (at >= 0 && !this.boards.has(at)) {
      missing.push(at);
      at = this.nodes[at].p;
    }
    if (this.boards.size + missing.length > BOARDS) {
      this.boards.clear();
      for (; at >= 0; at = this.nodes[at].p) missing.push(at);
    }
    let board = this.boards.get(at) ?? this.emptyBoard();
    for (const node of missing.reverse()) {
      board = this.after(board, this.nodes[node]);
      this.boards.set(node, board);
    }
    return board;
  }

  private emptyBoard(): GoBoard {
    return { cells: new Int8Array(this.columns * this.rows), taken: [0, 0], toMove: this.isWhiteFirst ? 2 : 1, moves: 0, last: -1, captured: 0 };
  }

  private after(before: GoBoard, node: TreeNode): GoBoard {
    const board: GoBoard = { ...before, cells: before.cells.slice(), taken: [...before.taken], last: -1, captured: 0 };
    const setup: readonly [DrawnStone, Stone][] = [["AE", 0], ["AB", 1], ["AW", 2]];
    for (const [name, stone] of setup) for (const cell of this.cells(node.d[name])) board.cells[cell] = stone;
    if (node.d.PL) board.toMove = /^w/i.test(node.d.PL[0]) ? 2 : 1;
    if (!node.m) return board;
    const color = node.m[0] === "B" ? 1 : 2, other = color === 1 ? 2 : 1;
    board.moves += 1;
    board.toMove = other;
    const cell = this.cell(node.m.slice(1));
    if (cell < 0) return board;
    board.last = cell;
    board.cells[cell] = color;
    for (const near of this.around(cell)) {
      if (board.cells[near] === other) board.captured += this.takeChain(board.cells, near);
    }
    board.taken[color - 1] += board.captured;
    board.taken[other - 1] += this.takeChain(board.cells, cell);
    return board;
  }

  /** The board after one more move; nothing if it cannot be played there. Superko is not looked at. */
  boardWith(board: GoBoard, color: "B" | "W", vertex: string): GoBoard | null {
    const cell = this.cellOf(vertex);
    if (cell < 0 || board.cells[cell]) return null;
    const after = this.after(board, { p: 0, m: color + this.point(cell), d: {}, children: [] });
    return after.cells[cell] ? after : null;
  }

  private around(cell: number): number[] {
    const column = cell % this.columns, found = [];
    if (column > 0) found.push(cell - 1);
    if (column + 1 < this.columns) found.push(cell + 1);
    if (cell >= this.columns) found.push(cell - this.columns);
    if (cell + this.columns < this.columns * this.rows) found.push(cell + this.columns);
    return found;
  }

  /** Takes a chain off if it has no liberty; says how many stones that were. */
  private takeChain(cells: Int8Array, first: number): number {
    const color = cells[first], chain = [first], seen = new Set(chain);
    for (const cell of chain) {
      for (const near of this.around(cell)) {
        if (cells[near] === 0) return 0;
        if (cells[near] === color && !seen.has(near)) {
          seen.add(near);
          chain.push(near);
        }
      }
    }
    for (const cell of chain) cells[cell] = 0;
    return chain.length;
  }

  /** The name of a place. */
  place(index: number): string {
    const missing: number[] = [];
    for (let at = index; at >= 0 && this.nodes[at].place === undefined; at = this.nodes[at].p) missing.push(at);
    for (const at of missing.reverse()) {
      const { p, m = "", d } = this.nodes[at];
      const setup = (["AE", "AB", "AW", "PL"] as const).map((name) => d[name]?.join() ?? "").join("/");
      this.nodes[at].place = nameOfPlace(`${at ? this.nodes[p].place : ""} ${m} ${setup}`);
    }
    return this.nodes[index].place ?? "";
  }

  /** The move that leads to the place, for screen readers; nothing if none does. */
  sayMove(): string {
    const { m } = this.nodes[this.current], { words } = this, now = this.board(this.current);
    if (!m) return "";
    const cell = this.cellOfMove(this.current), point = cell < 0 ? words.pass : this.vertex(cell);
    const said = fillText(words.played, { color: m[0] === "B" ? words.black : words.white, point });
    return `${now.moves}. ${said}${now.captured ? fillText(words.captures, { count: now.captured }) : ""}`;
  }

  /** Points with black and with white stones. */
  listStones(): [black: string[], white: string[]] {
    const lists: [string[], string[]] = [[], []];
    this.board(this.current).cells.forEach((color, cell) => { if (color) lists[color - 1].push(this.vertex(cell)); });
    return lists;
  }

  nameOfNode(index: number): string {
    const { m } = this.nodes[index], { words } = this;
    if (!m) return words.setup;
    const cell = this.cellOfMove(index);
    return `${m[0] === "B" ? words.black : words.white} ${cell < 0 ? words.pass : this.vertex(cell)}`;
  }
}

type DrawnStone = "AE" | "AB" | "AW";
