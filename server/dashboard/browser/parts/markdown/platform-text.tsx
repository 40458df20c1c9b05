import type { components } from '../../api/api-types.ts';
import { drawHtml } from './draw-html.tsx';
import { drawLine, whatsappMarks } from './markdown-line.tsx';
import { MarkdownText } from './markdown-text.tsx';

interface PlatformTextProps {
  readonly markup: components['schemas']['ReplyPreview']['markup'];
  readonly text: string;
  /** Null: the platform takes no HTML. */
  readonly html: string | null;
}

/** A text with the marks that a platform draws. */
export function PlatformText({ markup, text, html }: PlatformTextProps) {
  if (html !== null) return <div className="p-preview-text">{drawHtml(html)}</div>;
  if (markup === 'markdown') return <MarkdownText text={text} spoken />;
  return <p className="p-preview-text">{markup === 'single-marks' ? drawLine(text, whatsappMarks) : text}</p>;
}
