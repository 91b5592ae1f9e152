// On a board with data-tools="NAME" the key of a tool (the value of a radio button of that name) chooses it and uses it at the cursor.
"use strict";
// A point of a board with data-fills="#id" goes into that field.
document.addEventListener("board:point", (event) => {
  const field = document.querySelector(event.target.dataset.fills ?? "#no-such-field");
  if (field) field.value = event.detail.vertex;
});
document.addEventListener("keydown", (event) => {
  const element = event.target.closest("[data-columns][data-tools]");
  if (!element || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
  const radios = document.querySelectorAll(`input[type=radio][name="${CSS.escape(element.dataset.tools)}"]`);
  const tool = [...radios].find((radio) => radio.value === event.key);
  if (!tool || event.key === " ") return;
  tool.checked = true;
  const board = boardOf(element);
  const [column, row] = cursorOf(element, board);
  event.preventDefault();
  choose(element, vertexOf(board, column, row));
});
