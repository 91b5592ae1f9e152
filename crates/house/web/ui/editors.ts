// On a board with data-tools="NAME" the key of a tool (the value of a radio button of that name) chooses it and uses it at the cursor.
import "./htmx";
import { boardOf, choose, cursorOf, vertexOf } from "./board";
import { closestTo } from "./dom";

// A point of a board with data-fills="#id" goes into that field.
document.addEventListener("board:point", (event) => {
  const { fills } = (event.target as HTMLElement).dataset, field = fills ? document.querySelector<HTMLInputElement>(fills) : null;
  if (field) field.value = event.detail.vertex;
});
document.addEventListener("keydown", (event) => {
  const element = closestTo(event.target, "[data-columns][data-tools]");
  if (!element || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || event.key === " ") return;
  const radios = document.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${CSS.escape(element.dataset.tools ?? "")}"]`);
  const tool = [...radios].find((radio) => radio.value === event.key);
  if (!tool) return;
  tool.checked = true;
  const board = boardOf(element);
  event.preventDefault();
  choose(element, vertexOf(board, ...cursorOf(element, board)));
});
