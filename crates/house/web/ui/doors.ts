// Ways in for a game of one's own: a file that is chosen, dropped anywhere, or a text that is pasted where nobody writes.
import { closestTo, isHit } from "./dom";
import { tell, tellUnreachable } from "./messages";
import { fillText } from "./texts";

const LARGEST = 4 << 20;
const isTranscript = (text: string) => /^(\s*[a-h][1-8]){4,60}\s*$/i.test(text);
const isRecord = (text: string) => /^\s*\(\s*;/.test(text);
const isLink = (text: string) => /^\s*(https?:\/\/|www\.)\S+\s*$/i.test(text);
// 64 squares of Othello and the side to move, as programs write them: no more, for boards of Go are larger.
const CELL = "[-._xo*bw01●○]";
const BOARD = new RegExp(`^\\s*(setboard\\s+)?(${CELL}\\s*){64,65}(?!\\s*${CELL})`, "i");
const COLUMNS = /^\s*a\s*b\s*c\s*d\s*e\s*f\s*g\s*h\s*$/im;
const isFen = (text: string) => /^\s*([1-8p]{1,8}\/){7}[1-8p]{1,8} [bw]\b/i.test(text);
const withoutCoordinates = (text: string) => COLUMNS.test(text) ? text.replace(COLUMNS, "").replace(/^\s*[1-8]\s/gm, "") : text;
const isBoard = (text: string) => BOARD.test(withoutCoordinates(text)) || isFen(text);
// Links of sites where Othello is played hold the game itself: moves, or 64 squares.
const holdsOthello = (link: string) => /([a-h][1-8]){4}/i.test(link) || /([-.xo*01_]|%2[DEA]){64}/i.test(link);

// Pages ask nothing of the net: what stands behind other links is brought by hand.
function explainLink(link: string): void {
  const ogs = /online-go\.com\/game\/(?:view\/)?(\d+)/.exec(link);
  const file = ogs ? ` https://online-go.com/api/v1/games/${ogs[1]}/sgf` : "";
  tell(fillText(document.body.dataset.link ?? "", { file }));
}

async function openText(text: string): Promise<void> {
  if (isRecord(text) || isTranscript(text) || isBoard(text)) await open(text);
  else if (isLink(text) && holdsOthello(text)) await open(text);
  else if (isLink(text)) explainLink(text);
}

/** The room is told by the text: transcripts, boards and SGF of Othello (GM[2]) are one's, all else is the other's. */
function isOthello(text: string): boolean {
  return isTranscript(text) || isBoard(text) || isLink(text) || /^\s*\(\s*;[^()]{0,400}\bGM\s*\[2\]/.test(text) || /^\s*\(;GM\[Othello\]/.test(text);
}

function formOfGo(text: string, file: File | undefined): FormData {
  const form = new FormData();
  // A file goes as it is: its own words say in which encoding it is written.
  if (file) form.append("file", file);
  else form.append("sgf", text);
  return form;
}

// Goes to the game.
async function open(text: string, file?: File): Promise<void> {
  const [path, body] = isOthello(text) ? ["/othello/open", new URLSearchParams({ text })] as const : ["/go", formOfGo(text, file)] as const;
  try {
    const answer = await fetch(path, { method: "POST", headers: { "HX-Request": "true" }, body });
    if (answer.redirected && answer.ok) location.assign(answer.url);
    else tell(await answer.text());
  } catch {
    tellUnreachable();
  }
}

async function openFile(file: File): Promise<void> {
  if (file.size > LARGEST) tell(`${file.name}: ${(file.size / (1 << 20)).toFixed(1)} MiB > 4 MiB`);
  else await open(await file.text(), file);
}

async function openBrought(brought: DataTransfer): Promise<void> {
  const [file] = brought.files;
  await (file ? openFile(file) : openText(brought.getData("text/plain")));
}

// Rooms whose forms take files of their own keep their own way.
const hasOwnWay = () => /^\/(decks|patterns|joseki|enter)/.test(location.pathname);
const holdsGame = (event: DragEvent) => !hasOwnWay() && !isHit(event.target, "input, textarea")
  && [...event.dataTransfer?.types ?? []].some((type) => type === "Files" || type === "text/plain");
const showDoor = (isOver: boolean) => document.body.classList.toggle("dropping", isOver);
document.addEventListener("dragover", (event) => {
  if (!holdsGame(event)) return;
  event.preventDefault();
  showDoor(true);
});
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) showDoor(false); });
document.addEventListener("drop", (event) => {
  showDoor(false);
  if (!holdsGame(event) || !event.dataTransfer) return;
  event.preventDefault();
  void openBrought(event.dataTransfer);
});
document.addEventListener("paste", (event) => {
  if (hasOwnWay() || !event.clipboardData || isHit(event.target, "input, textarea, select")) return;
  void openBrought(event.clipboardData);
});
document.addEventListener("change", (event) => {
  const [file] = closestTo<HTMLInputElement>(event.target, "input[type=file][data-opens]")?.files ?? [];
  if (file) void openFile(file);
});
