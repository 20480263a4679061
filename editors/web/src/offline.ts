/** The service worker: after the first visit all files are at hand, with a network or without. */
declare const FILES: string[];
declare const VERSION: string;

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

interface Scope {
  addEventListener(type: "install" | "activate", handle: (event: Lasting) => void): void;
  addEventListener(type: "fetch", handle: (event: Fetching) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}

const scope = self as unknown as Scope;
const PREFIX = "spvls-playground-";
const NAME = PREFIX + VERSION;

async function removeOld(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(names.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

scope.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(["./", ...FILES]))
      .then(() => scope.skipWaiting()),
  );
});
scope.addEventListener("activate", (event) => event.waitUntil(removeOld()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) {
    event.respondWith(answer(request));
  }
});
