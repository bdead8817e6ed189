import { useEffect } from "react";

/**
 * Stands in for the package of this name, which inserts <style> elements that the page's policy forbids. Rules go into a
 * constructed style sheet instead, which the last component that uses it takes away.
 */
export function styleSingleton() {
  const sheet = new CSSStyleSheet();
  let users = 0;
  return function Styles({ styles }: { readonly styles: string }) {
    useEffect(() => {
      if (users++ === 0) {
        sheet.replaceSync(styles);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }
      return () => {
        if (--users > 0) return;
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      };
    }, [styles]);
    return null;
  };
}
