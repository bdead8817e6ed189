import type { Root } from "hast";
import { useEffect, useState } from "react";
import type { RenderAnswer, RenderRequest } from "./render-request.ts";

/** Time limit in ms for rendering; after it, the text is shown unrendered. */
const RENDER_MS = 4_000;

export type Rendered =
  | { readonly state: "working" }
  | { readonly state: "done"; readonly tree: Root }
  | { readonly state: "refused"; readonly why: string };

/** The rendered tree of a text, created in a separate worker. */
export function useRendered(request: RenderRequest): Rendered {
  const [rendered, setRendered] = useState<Rendered>({ state: "working" });
  const key = JSON.stringify(request);
  useEffect(() => {
    setRendered({ state: "working" });
    const worker = new Worker(new URL("./render-worker.ts", import.meta.url), { type: "module" });
    const end = (result: Rendered) => {
      clearTimeout(timer);
      worker.terminate();
      setRendered(result);
    };
    const timer = setTimeout(() => end({ state: "refused", why: "it takes too long to render" }), RENDER_MS);
    worker.onmessage = ({ data }: MessageEvent<RenderAnswer>) =>
      end("tree" in data ? { state: "done", tree: data.tree } : { state: "refused", why: data.refused });
    worker.onmessageerror = () => end({ state: "refused", why: "it is nested too deeply" });
    worker.onerror = () => end({ state: "refused", why: "it cannot be rendered" });
    worker.postMessage(JSON.parse(key) as RenderRequest);
    return () => {
      clearTimeout(timer);
      worker.terminate();
    };
  }, [key]);
  return rendered;
}
