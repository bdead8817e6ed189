import { useEffect } from "react";

/**
 * Replaces the package of this name, which inserts <style> elements that the content security policy forbids.
 * Rules go to a constructed style sheet, which is removed with the last component that uses it.
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
