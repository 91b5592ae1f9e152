// Othello: a variation drawn on the board while somebody points at it, and clocks that run.
// <tr data-line="f5d6" data-after="12"> is shown in #othello-preview; without data-after it follows the board.
{
  let shown = null;

  const show = async (element) => {
    const game = element.closest("[data-game]"), preview = document.getElementById("othello-preview");
    if (!game || !preview || shown === element.dataset.line) return;
    const line = shown = element.dataset.line;
    const after = element.dataset.after === undefined ? "" : `&after=${element.dataset.after}`;
    const answer = await fetch(`${game.dataset.game}/line?moves=${encodeURIComponent(line)}${after}`);
    // Who points elsewhere by now wants another line, or none.
    if (answer.ok && shown === line) preview.innerHTML = await answer.text();
  };
  const hide = () => {
    shown = null;
    document.getElementById("othello-preview")?.replaceChildren();
  };
  const follow = (event) => {
    const element = event.target.closest?.("[data-line]");
    if (element?.dataset.line) show(element);
    else if (shown !== null) hide();
  };
  document.addEventListener("mouseover", follow);
  document.addEventListener("focusin", follow);

  // <button data-at="f5"> plays that move, as a click on the board does.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-game] button[data-at]");
    const board = button && document.getElementById("othello-board");
    if (board) choose(board, button.dataset.at);
  });

  // <input type="file" data-base64-into="#field">: the file's bytes go into that field.
  document.addEventListener("change", async (event) => {
    const input = event.target.closest("input[type=file][data-base64-into]");
    if (!input || !input.files.length) return;
    const reader = new FileReader();
    reader.onload = () => {
      document.querySelector(input.dataset.base64Into).value = reader.result.slice(reader.result.indexOf(",") + 1);
    };
    reader.readAsDataURL(input.files[0]);
  });

  const begun = new WeakMap();
  setInterval(() => {
    for (const clock of document.querySelectorAll("[data-clock]")) {
      if (!begun.has(clock)) begun.set(clock, performance.now());
      const left = Number(clock.dataset.clock) - (performance.now() - begun.get(clock));
      const seconds = Math.max(0, Math.ceil(left / 1000));
      clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      if (left < -200 && clock.dataset.ask) {
        htmx.ajax("POST", clock.dataset.ask, { swap: "none" });
        delete clock.dataset.ask;
      }
    }
  }, 250);
}
