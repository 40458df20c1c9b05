/** The screens without a person, in one chunk. */
export { Begin } from './begin.tsx';
export { Forgot } from './forgot.tsx';
export { Invite } from './invite.tsx';
export { Recover } from './recover.tsx';
export { SignIn } from './sign-in.tsx';
