import { useEffect, useState } from "react";
import { useImage } from "../api/content.ts";
import { visible } from "../text/uri.ts";

interface StoredImageProps {
  readonly uri: string;
  readonly type: string;
  readonly alt: string;
}

/** A stored image. In an <img>, browsers run no scripts and load no resources, even for SVG. */
export function StoredImage({ uri, type, alt }: StoredImageProps) {
  const { data, error } = useImage(uri, type);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (data === undefined) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  if (error !== null)
    return <span className="text-xs text-soft">{visible(alt) || "Picture"} (cannot be loaded)</span>;
  if (url === undefined) return <span className="inline-block size-16 animate-pulse rounded bg-sunken" />;
  return <img src={url} alt={visible(alt)} className="max-h-[70dvh] max-w-full rounded" />;
}
