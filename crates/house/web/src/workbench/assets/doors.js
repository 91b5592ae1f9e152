// Ways in for a game of one's own: a file that is chosen, dropped anywhere, or a text that is pasted where nobody writes.
"use strict";
{
  const LARGEST = 4 << 20;
  const isTranscript = (text) => /^(\s*[a-h][1-8]){4,60}\s*$/i.test(text);
  const isRecord = (text) => /^\s*\(\s*;/.test(text);
  const isLink = (text) => /^\s*https?:\/\/\S+\s*$/.test(text);
  // Links of sites where Othello is played hold the game itself: moves, or 64 squares.
  const holdsOthello = (link) => /([a-h][1-8]){4}/i.test(link) || /([-.xo*01_]|%2[DEA]){64}/i.test(link);
  // Pages ask nothing of the net: what stands behind other links is brought by hand.
  const explainLink = (link) => {
    const ogs = /online-go\.com\/game\/(?:view\/)?(\d+)/.exec(link), japanese = document.documentElement.lang === "ja";
    const file = ogs ? ` https://online-go.com/api/v1/games/${ogs[1]}/sgf` : "";
    tell(japanese ? `ishi は外部のサイトに接続しません。SGF${file} をダウンロードして、ここにドロップするか貼り付けてください。`
      : `ishi asks nothing of other sites: download the SGF${file} there, then drop or paste it here.`);
  };
  const openText = (text) => {
    if (isRecord(text) || isTranscript(text)) open(text);
    else if (isLink(text) && holdsOthello(text)) open(text);
    else if (isLink(text)) explainLink(text);
  };

  // Goes to the game. The room is told by the text: transcripts and SGF of Othello (GM[2]) are one's, all else is the other's.
  const open = async (text, file) => {
    const isOthello = isTranscript(text) || isLink(text) || /^\s*\(\s*;[^()]{0,400}\bGM\s*\[2\]/.test(text) || /^\s*\(;GM\[Othello\]/.test(text);
    const form = isOthello ? new URLSearchParams({ text }) : new FormData();
    // A file goes as it is: its own words say in which encoding it is written.
    if (!isOthello && file) form.append("file", file);
    else if (!isOthello) form.append("sgf", text);
    try {
      const answer = await fetch(isOthello ? "/othello/open" : "/go", { method: "POST", headers: { "HX-Request": "true" }, body: form });
      if (answer.redirected && answer.ok) return location.assign(answer.url);
      tell(await answer.text());
    } catch {
      document.dispatchEvent(new Event("htmx:sendError"));
    }
  };
  const openFile = async (file) => {
    if (file.size > LARGEST) return tell(`${file.name}: ${(file.size / (1 << 20)).toFixed(1)} MiB > 4 MiB`);
    await open(await file.text(), file);
  };

  // Rooms whose forms take files of their own keep their own way.
  const hasOwnWay = () => /^\/(decks|patterns|joseki|enter)/.test(location.pathname);
  const holdsFile = (event) => !hasOwnWay() && [...event.dataTransfer?.types ?? []].some((type) => type === "Files" || type === "text/plain")
    && !event.target.closest?.("input, textarea");
  const showDoor = (isOver) => document.body.classList.toggle("dropping", isOver);
  document.addEventListener("dragover", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    showDoor(true);
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) showDoor(false); });
  document.addEventListener("drop", (event) => {
    showDoor(false);
    if (!holdsFile(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text/plain");
    if (file) openFile(file);
    else openText(text);
  });
  document.addEventListener("paste", (event) => {
    if (hasOwnWay() || event.target.closest?.("input, textarea, select")) return;
    const [file] = event.clipboardData.files, text = event.clipboardData.getData("text/plain");
    if (file) openFile(file);
    else openText(text);
  });
  document.addEventListener("change", (event) => {
    const input = event.target.closest("input[type=file][data-opens]");
    if (input?.files.length) openFile(input.files[0]);
  });
}
