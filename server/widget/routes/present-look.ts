import { fileLimits } from '../../../core/visitors/file-limits.ts';
import { fileTypes } from '../../../core/visitors/file-types.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import { accentOf } from '../accent.ts';
import type { Look } from '../look.ts';
import type { ChosenTexts } from '../texts/choose-texts.ts';

interface Presented {
  readonly look: Look;
  readonly workspace: Workspace;
  readonly chosen: ChosenTexts;
}

/** A look with all that was not set of it, in a language. */
export function presentLook({ look, workspace, chosen: { language, direction, texts } }: Presented) {
  return {
    title: look.title ?? workspace.name,
    greeting: look.greeting ?? texts.greeting,
    accent: accentOf(look.colour),
    logo_url: look.logo_url ?? null,
    suggestions: look.suggestions,
    choice: look.choice_at_start,
    attachments: look.attachments
      ? { types: [...fileTypes], max_bytes: fileLimits.bytes, max_files: fileLimits.ofMessage }
      : null,
    theme: look.theme,
    position: look.position,
    language,
    direction,
    texts: { ...texts },
  };
}
