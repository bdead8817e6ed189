import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-sync",
];
const STEP_LIMIT_MS = 15_000;
/** A screen without requests for this long counts as completely loaded. */
const QUIET_MS = 200;
/** Calls that continue for as long as a screen is open. */
const STREAMS = /\/Watch(?:Changes|Task)$/;

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });

/** A Studio tab, and a record of what it must not do. */
export interface Tab {
  readonly page: Page;
  /** Console errors, uncaught errors, requests to other servers, dialogs; empty if there were none. */
  readonly faults: string[];
  /** Opens a screen by its address: `/explorer?uri=…`. */
  go(path: string): Promise<void>;
  /** Opens a screen as Studio's links do, without reloading the page. */
  follow(path: string): Promise<void>;
  /** Resolves once no call has been in progress for a moment; streams do not count. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Calls without a key, or beyond the role's permissions, are refused, and browsers log that to the console.
 */
export const REFUSED = /status of 40[0134]/;

/** Enters a key on the sign-in page. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
}

interface TabOptions {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** Console errors that the test expects, such as refused calls. */
  readonly expected?: RegExp;
}

export async function openTab(browser: Browser, url: string, options: TabOptions = {}): Promise<Tab> {
  const { theme = "light", width = 1280, height = 800, expected } = options;
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: "en-GB",
    acceptDownloads: true,
  });
  const faults: string[] = [];
  const note = (fault: string) => {
    if (expected === undefined || !expected.test(fault)) faults.push(fault);
  };
  await context.route(
    (asked) => asked.protocol.startsWith("http") && asked.origin !== new URL(url).origin,
    (route) => {
      note(`asked for ${route.request().url()}`);
      return route.abort();
    },
  );
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_LIMIT_MS);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") note(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => note(`uncaught: ${error.message}`));
  page.on("dialog", (dialog) => {
    // text that is not saved, of which Studio asks before it is lost
    if (dialog.type() === "beforeunload") return void dialog.accept();
    note(`dialogue: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (other) => {
    if (other !== page) note(`another page was opened: ${other.url()}`);
  });
  let lastCall = 0;
  const calls = new Set<Request>();
  page.on("request", (request) => {
    if (!STREAMS.test(request.url())) calls.add(request);
  });
  const end = (request: Request) => {
    calls.delete(request);
    lastCall = performance.now();
  };
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return {
    page,
    faults,
    quiet: async () => {
      while (calls.size > 0 || performance.now() - lastCall < QUIET_MS)
        await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), QUIET_MS);
    },
    go: async (path) => {
      await page.goto(`${url}/studio${path}`);
      await page.locator("main").first().waitFor();
    },
    follow: async (path) => {
      await page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      }, `/studio${path}`);
    },
    close: () => context.close(),
  };
}
