import {
  Brain,
  Camera,
  FlaskConical,
  FolderTree,
  House,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  Shield,
  Sparkles,
  Target,
  Trash2,
  Webhook,
} from "lucide-react";

/** A screen in the navigation. */
export interface Screen {
  readonly path: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** Roles for which it is visible; all if absent. */
  readonly roles?: readonly string[];
  /** Keys that open it, pressed in sequence. */
  readonly keys: string;
}

export const SCREENS: readonly Screen[] = [
  { path: "/", title: "Home", icon: House, keys: "g h" },
  { path: "/explorer", title: "Explorer", icon: FolderTree, keys: "g e" },
  { path: "/search", title: "Search lab", icon: FlaskConical, keys: "g s" },
  { path: "/evaluation", title: "Evaluation", icon: Target, keys: "g v" },
  { path: "/sessions", title: "Sessions", icon: MessagesSquare, keys: "g c" },
  { path: "/memories", title: "Memories", icon: Brain, keys: "g m" },
  { path: "/skills", title: "Skills", icon: Sparkles, keys: "g k" },
  { path: "/tasks", title: "Tasks", icon: ListChecks, keys: "g t" },
  { path: "/trash", title: "Trash", icon: Trash2, keys: "g d" },
  { path: "/snapshots", title: "Snapshots", icon: Camera, keys: "g n" },
  { path: "/webhooks", title: "Webhooks", icon: Webhook, keys: "g w" },
  { path: "/account", title: "Account", icon: KeyRound, keys: "g u" },
  { path: "/administration", title: "Administration", icon: Shield, roles: ["root", "admin"], keys: "g a" },
];

export const screensOf = (role: string): readonly Screen[] =>
  SCREENS.filter(({ roles }) => roles === undefined || roles.includes(role));
