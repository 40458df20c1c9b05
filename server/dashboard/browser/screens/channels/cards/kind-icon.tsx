import { type ChannelKind, useKind } from '../../../api/kinds.ts';
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
import { Icon } from '../../../parts/icon.tsx';

/** The symbols that a channel can have, by the names that the server gives. */
const symbols: Readonly<Record<ChannelKind['symbol'], IconType>> = {
  braces: Braces,
  hash: Hash,
  mail: Mail,
  'message-circle': MessageCircle,
  'message-circle-more': MessageCircleMore,
  'message-square-more': MessageSquareMore,
  'message-square-text': MessageSquareText,
  'messages-square': MessagesSquare,
  'panel-top': PanelTop,
  phone: Phone,
  send: Send,
};

interface KindIconProps {
  readonly kind: string;
  readonly size?: number;
  /** The name for people who do not see it. Without one it is decoration. */
  readonly label?: string;
}

/** The symbol of a kind. A kind that is not known, or not yet, has that of a chat. */
export function KindIcon({ kind, ...rest }: KindIconProps) {
  return <Icon of={symbols[useKind(kind)?.symbol ?? 'message-circle']} {...rest} />;
}
