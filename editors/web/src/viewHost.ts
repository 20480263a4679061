/** In the page of a view: what VS Code gives to such pages. */
const host = { postMessage: (message: unknown): void => parent.postMessage(message, location.origin) };
Object.assign(globalThis, { acquireVsCodeApi: () => host });
export {};
