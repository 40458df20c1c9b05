/** The style sheets, inserted by esbuild. */
declare const LAUNCHER_STYLE: string;
declare const CHAT_STYLE: string;
