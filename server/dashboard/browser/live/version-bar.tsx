import { Button, Text } from '@mantine/core';
import { RefreshCw } from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { useTexts } from '../texts/texts.tsx';
import { useServerBuild } from './live-state.ts';

/** The name of the script that this page runs, which changes with each build. */
const ownBuild = document
  .querySelector<HTMLScriptElement>('script[type="module"][src]')
  ?.src.split('/')
  .at(-1);

/**
 * Offers the new dashboard when the server has another build. The person decides when, because they may be writing a
 * text.
 */
export function VersionBar() {
  const { texts } = useTexts();
  const build = useServerBuild();
  const words = texts.frame.newVersion;
  return (
    <div className="p-version" role="status">
      {build !== null && build !== ownBuild && (
        <div className="p-version-bar">
          <Icon of={RefreshCw} />
          <Text inherit flex={1}>
            {words.text}
          </Text>
          <Button size="xs" variant="white" onClick={() => location.reload()}>
            {words.reload}
          </Button>
        </div>
      )}
    </div>
  );
}
