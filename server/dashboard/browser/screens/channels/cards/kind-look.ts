import {
  Braces,
  Hash,
  type IconType,
  Mail,
  MessageCircle,
  MessageCircleMore,
  MessageSquareMore,
  MessageSquareText,
  MessagesSquare,
  PanelTop,
  Phone,
  Send,
} from '../../../icons.ts';
import type { Catalogue } from '../../../texts/english.ts';

interface KindLook {
  readonly name: string;
  readonly about: string;
  readonly icon: IconType;
}

const icons: Readonly<Record<string, IconType>> = {
  slack: Hash,
  discord: MessagesSquare,
  telegram: Send,
  whatsapp: MessageCircleMore,
  sms: MessageSquareText,
  voice: Phone,
  email: Mail,
  intercom: MessageSquareMore,
  widget: MessageCircle,
  hosted: PanelTop,
  api: Braces,
};

/** The name, the description and the symbol of a kind. A kind that this build does not know is shown by its own name. */
export function kindLook(kind: string, { channels }: Catalogue): KindLook {
  const known = Object.entries(channels.kinds).find(([name]) => name === kind)?.[1];
  return { ...(known ?? { name: kind, about: '' }), icon: icons[kind] ?? MessageCircle };
}
