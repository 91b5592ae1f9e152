"use strict";
// A game of Go as a page has it: the tree with its boards. Places are numbers of nodes. The room of Go (game.js) and pages that are shared (shared.js)
// step through it.
const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
// Boards that are remembered.
const BOARDS = 4000;

// A name that is the same for the same moves and set-up, in any revision and tab.
const nameOfPlace = (text) => {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
};

class PageGame {
  constructor(known) {
    Object.assign(this, known);
    [this.columns, this.rows] = known.size;
    this.nodes.forEach((node, index) => {
      node.p ??= index - 1;
      node.d ??= {};
      node.children = [];
      if (index) this.nodes[node.p].children.push(index);
    });
    this.boards = new Map();
    // Nodes from here on are a line that is only shown.
    this.own = this.nodes.length;
    this.stand(this.node);
  }

  isInLine(index = this.current) {
    return index >= this.own;
  }

  // The node from which the line that is shown goes on.
  lineBase() {
    return this.nodes[this.own]?.p;
  }

  // The node that the server knows.
  ownPlace() {
    return this.isInLine() ? this.lineBase() : this.current;
  }

  // Adds moves ("B D4") after this place, to be walked through, and goes to the first.
  showLine(moves) {
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
    this.stand(parent);
    this.stand(this.own);
    return true;
  }

  leaveLine() {
    const base = this.lineBase();
    if (base === undefined) return;
    const before = this.nodes[base];
    before.children = before.children.filter((child) => child < this.own);
    if (before.through >= this.own) delete before.through;
    const isThere = this.isInLine();
    this.nodes.length = this.own;
    for (const index of this.boards.keys()) if (index >= this.own) this.boards.delete(index);
    if (isThere) this.stand(base);
  }

  // Goes to a node; forward steps lead through it from now on.
  stand(index) {
    this.current = index;
    for (let at = index; at > 0; at = this.nodes[at].p) this.nodes[this.nodes[at].p].through = at;
  }

  next(index) {
    return this.nodes[index].through ?? this.nodes[index].children[0];
  }

  // The nodes from the root through the place to the end.
  line() {
    const line = this.path();
    for (let at = this.next(this.current); at !== undefined; at = this.next(at)) line.push(at);
    return line;
  }

  // The nodes from the root to the place.
  path() {
    const path = [];
    for (let at = this.current; at >= 0; at = this.nodes[at].p) path.push(at);
    return path.reverse();
  }

  // A point as SGF writes it, as an index of cells; rows count from the top.
  cell(point) {
    const column = point.charCodeAt(0) - 97, row = point.charCodeAt(1) - 97;
    return point.length === 2 && column >= 0 && row >= 0 && column < this.columns && row < this.rows ? row * this.columns + column : -1;
  }

  // Points of a list, rectangles written out.
  cells(values) {
    return (values ?? []).flatMap((value) => {
      const [from, to] = value.split(":");
      if (to === undefined) return this.cell(from) >= 0 ? [this.cell(from)] : [];
      const [a, b] = [this.cell(from), this.cell(to)], found = [];
      if (a < 0 || b < 0) return [];
      const [left, right] = [a % this.columns, b % this.columns].sort((x, y) => x - y);
      const [top, bottom] = [Math.floor(a / this.columns), Math.floor(b / this.columns)].sort((x, y) => x - y);
      for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) found.push(row * this.columns + column);
      return found;
    });
  }

  vertex(cell) {
    return LETTERS[cell % this.columns] + (this.rows - Math.floor(cell / this.columns));
  }

  cellOf(vertex) {
    const column = LETTERS.indexOf(vertex[0]), row = this.rows - Number(vertex.slice(1));
    return column >= 0 && column < this.columns && row >= 0 && row < this.rows ? row * this.columns + column : -1;
  }

  point(cell) {
    return String.fromCharCode(97 + cell % this.columns, 97 + Math.floor(cell / this.columns));
  }

  // What stands after a node: 1 is black, 2 is white.
  board(index) {
    const missing = [];
    let at = index;
    while (at >= 0 && !this.boards.has(at)) {
      missing.push(at);
      at = this.nodes[at].p;
    }
    if (this.boards.size + missing.length > BOARDS) this.boards.clear();
    let board = this.boards.get(at);
    if (!board) {
      for (at = this.nodes[missing.at(-1)].p; at >= 0; at = this.nodes[at].p) missing.push(at);
      board = { cells: new Int8Array(this.columns * this.rows), taken: [0, 0], toMove: this.first === "W" ? 2 : 1, moves: 0, last: -1 };
    }
    for (const node of missing.reverse()) {
      board = this.after(board, this.nodes[node]);
      this.boards.set(node, board);
    }
    return board;
  }

  after(before, node) {
    const board = { ...before, cells: before.cells.slice(), taken: [...before.taken], last: -1, captured: 0 };
    [["AE", 0], ["AB", 1], ["AW", 2]].forEach(([name, stone]) => this.cells(node.d[name]).forEach((cell) => { board.cells[cell] = stone; }));
    if (node.d.PL) board.toMove = /^w/i.test(node.d.PL[0]) ? 2 : 1;
    if (!node.m) return board;
    const color = node.m[0] === "B" ? 1 : 2;
    board.moves += 1;
    board.toMove = 3 - color;
    const cell = this.cell(node.m.slice(1));
    if (cell < 0) return board;
    board.last = cell;
    board.cells[cell] = color;
    for (const near of this.around(cell)) {
      if (board.cells[near] === 3 - color) board.captured += this.takeChain(board.cells, near);
    }
    board.taken[color - 1] += board.captured;
    board.taken[2 - color] += this.takeChain(board.cells, cell);
    return board;
  }

  around(cell) {
    const column = cell % this.columns, found = [];
    if (column > 0) found.push(cell - 1);
    if (column + 1 < this.columns) found.push(cell + 1);
    if (cell >= this.columns) found.push(cell - this.columns);
    if (cell + this.columns < this.columns * this.rows) found.push(cell + this.columns);
    return found;
  }

  // Takes a chain off if it has no liberty; says how many stones that were.
  takeChain(cells, first) {
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

  place(index) {
    const missing = [];
    for (let at = index; at >= 0 && !this.nodes[at].place; at = this.nodes[at].p) missing.push(at);
    for (const at of missing.reverse()) {
      const { p, m = "", d } = this.nodes[at];
      const setup = ["AE", "AB", "AW", "PL"].map((name) => d[name]?.join() ?? "").join("/");
      this.nodes[at].place = nameOfPlace(`${at ? this.nodes[p].place : ""} ${m} ${setup}`);
    }
    return this.nodes[index].place;
  }

  nameOfNode(index) {
    const { m } = this.nodes[index], { words } = this;
    if (!m) return words.setup;
    const cell = this.cell(m.slice(1));
    return `${m[0] === "B" ? words.black : words.white} ${cell < 0 ? words.pass : this.vertex(cell)}`;
  }
}
