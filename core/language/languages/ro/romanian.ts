import type { LanguagePack } from '../../language-pack.ts';

export const romanian: LanguagePack = {
  code: 'ro',
  name: 'Romanian',
  script: 'latin',
  grammar: {
    stopWords: `cine cui ce care când unde cum de câți câte cât câtă pot poate este sunt era erau a fost au meu mea și în la pe din
    cu pentru un o al ale lui`,
  },
};
