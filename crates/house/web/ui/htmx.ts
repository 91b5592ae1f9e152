// What the pages use of htmx (assets/htmx.min.js), which a script of its own brings before this one.

/** What a request is made of. */
export interface RequestConfig {
  readonly verb: string;
  readonly path: string;
  readonly parameters: Record<string, FormDataEntryValue>;
}

/** How an answer is put in. */
interface SwapSpecification {
  readonly swapStyle: string;
  readonly swapDelay: number;
  readonly settleDelay: number;
}

interface AjaxContext {
  readonly target?: string | undefined;
  readonly swap?: string;
  readonly values?: Record<string, string>;
}

interface Htmx {
  ajax(verb: string, path: string, context: AjaxContext): Promise<void>;
  trigger(element: Element, name: string, detail?: object): void;
  swap(target: Element, html: string, specification: SwapSpecification): void;
}

/** What a request that is about to be sent tells. */
export interface Confirmation {
  readonly path?: string;
  readonly verb: string;
  readonly elt: Element;
  readonly question?: string | null;
  readonly triggeringEvent?: Event;
  issueRequest(isConfirmed: boolean): void;
}

/** An answer that was put in, or will be. */
export interface Swap {
  readonly target?: Element;
  readonly requestConfig?: RequestConfig;
  /** Of one that will be: is it put in? Some answers have nothing. */
  readonly shouldSwap?: boolean;
}

declare global {
  const htmx: Htmx;
  interface DocumentEventMap {
    "htmx:responseError": CustomEvent<{ xhr: XMLHttpRequest }>;
    "htmx:sendError": Event;
    "htmx:beforeRequest": CustomEvent<{ requestConfig: RequestConfig }>;
    "htmx:afterRequest": CustomEvent<{ requestConfig: RequestConfig }>;
    "htmx:configRequest": CustomEvent<RequestConfig>;
    "htmx:confirm": CustomEvent<Confirmation>;
    "htmx:beforeSwap": CustomEvent<Swap>;
    "htmx:afterSwap": CustomEvent<Swap>;
    "htmx:afterSettle": CustomEvent<Swap>;
    /** A point of a board was chosen. Who prevents it keeps the server out of it. */
    "board:point": CustomEvent<{ vertex: string }>;
    "live:before": Event;
    "live:after": Event;
    "live:again": Event;
  }
}
