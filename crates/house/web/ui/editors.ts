// On a board with data-tools="NAME" the key of a tool (the value of a radio button of that name) chooses it and uses it at the cursor.
import "./htmx";
import { boardOf, choose, cursorOf, vertexOf } from "./board";
import { closestTo } from "./dom";

// A point of a board with data-fills="#id" goes into that field.
document.addEventListener("board:point", (event) => {
  const { fills } = (event.target as HTMLElement).dataset, field = fills ? document.querySelector<HTMLInputElement>(fills) : null;
  if (field) field.value = event.detail.vertex;
});
// A slider with data-sets="#id" writes into that field, and empties the one of data-empties. A number there moves it.
document.addEventListener("input", (event) => {
  const field = event.target as HTMLInputElement, { sets, empties } = field.dataset;
  const find = (selector: string | undefined) => selector ? document.querySelector<HTMLInputElement>(selector) : null;
  const set = find(sets), emptied = find(empties);
  if (set) set.value = field.value;
  if (emptied) emptied.value = "";
  const slider = !set && field.id ? find(`[data-sets="#${CSS.escape(field.id)}"]`) : null;
  if (slider) slider.value = field.value;
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
