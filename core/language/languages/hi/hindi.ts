import type { LanguagePack } from '../../language-pack.ts';

export const hindi: LanguagePack = {
  code: 'hi',
  name: 'Hindi',
  script: 'other',
  grammar: {
    stopWords: `कौन किस किसने किसका किसके किसकी क्या कब कहाँ कहां कैसे क्यों कितना कितनी कितने कौनसा कौनसी है हैं था थी थे में के का की को से ने
    पर और मैं मेरा मेरी`,
  },
};
