/** The styles, put in when the scripts are bundled. */
declare const LAUNCHER_STYLE: string;
declare const CHAT_STYLE: string;
