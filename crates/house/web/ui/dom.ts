// Elements: found, drawn, and filled by components.
import { type ComponentChild, render } from "preact";

const SVG = "http://www.w3.org/2000/svg";

/** Values of attributes; numbers are written out. */
export type Attributes = Readonly<Record<string, string | number>>;

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** An element of an SVG picture. */
export function drawSvg<Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Attributes, text?: string): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  setAttributes(element, attributes);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** The element of the page with this id, which must be there. */
export function elementOf<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page must have #${id}`);
  return element as Kind;
}

/** The part of an element that this selector finds, which must be there. */
export function partOf<Kind extends Element = HTMLElement>(root: ParentNode, selector: string): Kind {
  const part = root.querySelector<Kind>(selector);
  if (!part) throw new Error(`${selector} must be there`);
  return part;
}

/** Does something with all elements that the selector finds. */
export function forAll<Kind extends Element = HTMLElement>(selector: string, work: (element: Kind, index: number) => void): void {
  document.querySelectorAll<Kind>(selector).forEach((element, index) => work(element, index));
}

/** What was hit, or the nearest around it that the selector finds. */
export function closestTo<Kind extends Element = HTMLElement>(target: EventTarget | null, selector: string): Kind | null {
  return target instanceof Element ? target.closest<Kind>(selector) : null;
}

export function isHit(target: EventTarget | null, selector: string): boolean {
  return closestTo(target, selector) !== null;
}

/** The value of the field of this name that is checked. */
export function chosenValue(name: string): string | undefined {
  return document.querySelector<HTMLInputElement>(`[name="${name}"]:checked`)?.value;
}

/** The field that an event comes from, if it has this name. */
export function fieldNamed(event: Event, name: string): HTMLInputElement | null {
  const field = event.target as HTMLInputElement;
  return field.name === name ? field : null;
}

// What components left there: whatever else stands there came from the server or from other scripts.
const left = new WeakMap<Element, ChildNode | null>();

/** Fills an element by components. What others put there goes. */
export function fill(container: Element, content: ComponentChild): void {
  if (!left.has(container) || left.get(container) !== container.firstChild) {
    render(null, container);
    container.replaceChildren();
  }
  render(content, container);
  left.set(container, container.firstChild);
}
