import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';
import './me.css';

/** The page about oneself: what one is called, how one signs in, and where one is signed in. */
export function MePage() {
  const { texts } = useTexts();
  return (
    <Page title={texts.me.title} width="narrow">
      <Profile />
      <Password />
      <TwoFactor />
      <Passkeys />
      <Sessions />
    </Page>
  );
}
