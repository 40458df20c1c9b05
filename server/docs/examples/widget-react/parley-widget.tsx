import { useEffect, useRef } from 'react';

declare global {
  interface Window {
    Parley?: (...command: unknown[]) => void;
  }
}

interface ParleyWidgetProps {
  /** Where Parley runs, as in `https://parley.example`. */
  readonly address: string;
  /** The public token of the channel, `pub_…`. */
  readonly token: string;
  readonly isOpen: boolean;
  /** Visitors open and close the chat themselves too. */
  readonly onOpenChange: (isOpen: boolean) => void;
  /** The token with which your server proves who the visitor is. Null while nobody is signed in. */
  readonly verificationToken: string | null;
}

/**
 * The widget of a React page. It renders no element of its own: the script adds the button to the page. Put it above your
 * routes, so that it stays while visitors sign in and out.
 */
export function ParleyWidget(props: ParleyWidgetProps): null {
  const { address, token, isOpen, onOpenChange, verificationToken } = props;
  const isIdentified = useRef(false);

  useEffect(() => loadScript(`${address}/widget.js`, token), [address, token]);

  useEffect(() => {
    if (verificationToken !== null) callParley('identify', { verification_token: verificationToken });
    else if (isIdentified.current) callParley('logout');
    isIdentified.current = verificationToken !== null;
  }, [verificationToken]);

  useEffect(() => callParley(isOpen ? 'open' : 'close'), [isOpen]);

  useEffect(() => {
    const onOpen = () => onOpenChange(true);
    const onClose = () => onOpenChange(false);
    callParley('on', 'open', onOpen);
    callParley('on', 'close', onClose);
    return () => {
      callParley('off', 'open', onOpen);
      callParley('off', 'close', onClose);
    };
  }, [onOpenChange]);

  return null;
}

/** The script stays once it is there: a page has one widget, and a component may be drawn again. */
function loadScript(src: string, token: string): void {
  if ([...document.scripts].some((script) => script.src === src)) return;
  const script = document.createElement('script');
  script.async = true;
  script.src = src;
  script.dataset.token = token;
  document.head.append(script);
}

/** Calls wait in `q` until the script has loaded. */
function callParley(...command: readonly unknown[]): void {
  if (window.Parley === undefined) {
    const q: unknown[][] = [];
    window.Parley = Object.assign((...later: unknown[]) => void q.push(later), { q });
  }
  window.Parley(...command);
}
