import { FolderTree, type LucideIcon } from "lucide-react";

/** A screen of the navigation. */
export interface Screen {
  readonly path: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** Roles that see it; all where it is absent. */
  readonly roles?: readonly string[];
  /** The keys that open it, one after the other. */
  readonly keys: string;
}

export const SCREENS: readonly Screen[] = [{ path: "/explorer", title: "Explorer", icon: FolderTree, keys: "g e" }];

export const screensOf = (role: string): readonly Screen[] => SCREENS.filter(({ roles }) => roles === undefined || roles.includes(role));
