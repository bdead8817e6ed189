/** Kinds of products; people and teams use one product of a kind at a time. */
export const PRODUCT_KINDS = [
  "phone",
  "car",
  "computer",
  "operating system",
  "issue tracker",
  "notes",
  "hosting",
  "frontend",
  "backend",
  "database",
  "editor",
  "chat",
  "browser",
  "version control",
  "continuous integration",
  "payments",
  "design tool",
  "streaming",
  "provider",
  "bank",
  "language model",
] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

interface Products {
  /** Alternatives of a regular expression: names of products. */
  readonly names: string;
  /** Common nouns of the kind in four languages. */
  readonly words: string;
}

export const PRODUCTS: Readonly<Record<ProductKind, Products>> = {
  phone: {
    names:
      "iPhone|Pixel|Galaxy|Samsung|Fairphone|OnePlus|Xiaomi|Redmi|Nokia|Motorola|Oppo|Vivo|Mate ?\\d+|Nothing Phone|Sony Xperia|Huawei",
    words: "\\bphone\\b|Handy|Smartphone|téléphone|(?<!\\p{L})portable(?!\\p{L})|手机",
  },
  car: {
    names:
      "VW|Volkswagen|Golf|Polo|Passat|Tiguan|Skoda|Škoda|Enyaq|Octavia|Audi|BMW|Mercedes|Opel|Corsa|Astra|Ford|Fiesta|Focus|Toyota|Yaris|Corolla|Prius|Honda|Civic|Nissan|Leaf|Mazda|Hyundai|Kia|Tesla|Model [3SXY]|Renault|Clio|Zoe|Twingo|Mégane|Megane|Peugeot|Citroën|Citroen|Dacia|Sandero|Duster|Fiat|Panda|Volvo|Seat|Cupra|Mini Cooper|Subaru|BYD|Vauxhall|Suzuki|Smart|Lexus|Polestar|Kangoo|Berlingo|Caddy",
    words: "\\bcar\\b|(?<!\\p{L})Auto(?!\\p{L})|Wagen|voiture|汽车|开车|比亚迪|特斯拉|大众|丰田|本田",
  },
  computer: {
    names: "MacBook|ThinkPad|iMac|Surface|XPS|Framework|Chromebook|Zenbook|IdeaPad|Mac mini|Mac Studio",
    words: "\\blaptop\\b|\\bcomputer\\b|Rechner|Notebook|ordinateur|电脑|笔记本",
  },
  "operating system": {
    names:
      "Windows(?: \\d+)?|Linux|Ubuntu|Debian|Fedora|Arch|Mint|macOS|NixOS|openSUSE|Manjaro|ChromeOS|FreeBSD",
    words: "operating system|Betriebssystem|système d['’]exploitation|操作系统",
  },
  "issue tracker": {
    names:
      "Trello|Linear|Jira|Asana|Monday\\.com|ClickUp|Basecamp|YouTrack|Redmine|Shortcut|GitHub Issues|Todoist|Teambition|Tapd|Notion boards?|OpenProject|Plane|Wrike",
    words: "issue tracker|Ticketsystem|飞书项目|禅道",
  },
  notes: {
    names:
      "Notion|Obsidian|Evernote|OneNote|Joplin|Logseq|Apple Notes|Google Keep|Roam|Bear|Simplenote|Standard Notes|Zettlr|Anytype|Craft",
    words: "印象笔记|有道云|语雀|思源",
  },
  hosting: {
    names:
      "Heroku|Scaleway|AWS|OVH(?:cloud)?|Hetzner|Azure|GCP|Google Cloud|DigitalOcean|Fly\\.io|Render|Vercel|Netlify|Linode|Railway|IONOS|Infomaniak|Clever Cloud|Gandi|Cloudflare|Vultr|Netcup|Strato",
    words: "\\bhosting\\b|阿里云|腾讯云|华为云",
  },
  frontend: {
    names:
      "React(?!\\w)|Vue(?:\\.?js)?|Svelte(?:Kit)?|Angular|Solid(?:JS)?|HTMX|Next\\.?js|Nuxt|Remix|Ember|Preact|Qwik|Astro|jQuery",
    words: "前端(?:用|框架)",
  },
  backend: {
    names:
      "Django|Flask|FastAPI|Rails|Laravel|Symfony|Spring(?: Boot)?|Express|NestJS|Phoenix|ASP\\.NET|Gin|Actix|Node(?:\\.?js)?|Quarkus|Ktor",
    words: "后端(?:用|框架)",
  },
  database: {
    names:
      "Postgres(?:QL)?|MySQL|MariaDB|MongoDB|SQLite|Redis|DynamoDB|Cassandra|TiDB|Oracle|SQL Server|CockroachDB|Firestore|Firebase|Supabase|ClickHouse|Neo4j",
    words: "数据库|Datenbank|base de données",
  },
  editor: {
    names:
      "Vim|Neovim|Emacs|VS ?Code|Visual Studio Code|Sublime(?: Text)?|IntelliJ|WebStorm|PyCharm|Zed|Cursor|Helix|Atom|Nano|Eclipse|CLion|Notepad\\+\\+",
    words: "\\beditor\\b|编辑器",
  },
  chat: {
    names:
      "Slack|Microsoft Teams|MS Teams|Discord|Mattermost|Zulip|Rocket\\.Chat|WhatsApp|Signal|Telegram|Threema|Element|Lark|DingTalk",
    words: "钉钉|飞书|企业微信",
  },
  browser: {
    names: "Firefox|Chrome|Safari|Brave|Vivaldi|Opera|Edge|Arc|Chromium|LibreWolf",
    words: "\\bbrowser\\b|navigateur|浏览器",
  },
  "version control": {
    names: "GitHub|GitLab|Git|Bitbucket|Gitea|Forgejo|Codeberg|SVN|Subversion|Mercurial|Gitee",
    words: "代码托管",
  },
  "continuous integration": {
    names: "Jenkins|CircleCI|GitHub Actions|GitLab CI|Travis(?: CI)?|TeamCity|Buildkite|Drone|Woodpecker",
    words: "持续集成",
  },
  payments: {
    names: "Stripe|Adyen|PayPal|Mollie|Klarna|Square|Braintree|Lemon Squeezy|Paddle|Alipay",
    words: "支付宝|微信支付",
  },
  "design tool": {
    names: "Figma|Sketch|Adobe XD|Penpot|InVision|Canva|Framer",
    words: "即时设计|蓝湖",
  },
  streaming: {
    names: "Spotify|Apple Music|Deezer|Tidal|YouTube Music|Qobuz|Netflix|Amazon Music",
    words: "网易云音乐|QQ音乐",
  },
  provider: {
    names:
      "Vodafone|Telekom|O2|EE|Three|Orange|SFR|Free|Bouygues|1&1|Giffgaff|Verizon|T-Mobile|AT&T|Congstar",
    words: "中国移动|中国联通|中国电信",
  },
  bank: {
    names:
      "Monzo|Barclays|Lloyds|HSBC|NatWest|Santander|Starling|Revolut|N26|ING|DKB|Sparkasse|Volksbank|Commerzbank|Deutsche Bank|Comdirect|BNP(?: Paribas)?|Boursorama|BoursoBank|Crédit Agricole|Société Générale|La Banque Postale|Fortuneo|Chase|Wells Fargo",
    words: "招商银行|工商银行|建设银行|农业银行|中国银行",
  },
  "language model": {
    names: "ChatGPT|GPT-\\d\\S*|Claude|Gemini|Mistral|Copilot|Llama|DeepSeek|Qwen",
    words: "通义千问|文心一言|豆包",
  },
};

const NAMES: readonly (readonly [kind: ProductKind, form: RegExp])[] = PRODUCT_KINDS.map((kind) => [
  kind,
  new RegExp(`^(?:${PRODUCTS[kind].names})(?![\\p{Script=Latin}])`, "iu"),
]);
const CHINESE_NAMES: readonly (readonly [kind: ProductKind, form: RegExp])[] = [
  ["phone", /^(?:小米|华为|苹果|荣耀|三星|魅族|红米|一加)/u],
  ["car", /^(?:比亚迪|特斯拉|大众|丰田|本田|吉利|理想|蔚来|小鹏|奔驰|宝马|奥迪)/u],
  ["hosting", /^(?:阿里云|腾讯云|华为云)/u],
  ["chat", /^(?:钉钉|飞书|企业微信)/u],
  ["notes", /^(?:印象笔记|有道云|语雀|思源)/u],
];

/** The kind of a product by its name; undefined if unknown. */
export const productKind = (name: string): ProductKind | undefined =>
  [...NAMES, ...CHINESE_NAMES].find(([, form]) => form.test(name.trim()))?.[0];

const NOUNS: readonly (readonly [kind: ProductKind, form: RegExp])[] = PRODUCT_KINDS.map((kind) => [
  kind,
  new RegExp(PRODUCTS[kind].words, "iu"),
]);

/** The kinds of products that a phrase names by a common noun: "the car". */
export const kindsOfNoun = (phrase: string): ProductKind[] =>
  NOUNS.flatMap(([kind, form]) => (form.test(phrase) ? [kind] : []));

const NAMED: readonly (readonly [kind: ProductKind, form: RegExp])[] = PRODUCT_KINDS.map((kind) => [
  kind,
  new RegExp(`(?<![\\p{Script=Latin}\\d])(?:${PRODUCTS[kind].names})(?![\\p{Script=Latin}])`, "u"),
]);

/** The kinds of the products that a text names. */
export const kindsOfNames = (text: string): ProductKind[] =>
  NAMED.flatMap(([kind, form]) => (form.test(text) ? [kind] : []));
