/** Whether an address has a password or a token in it: a job, an invitation and a result never hold one. */
export function hasLogin(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/@]*:[^/]*@/i.test(address) || /^https?:\/\/(?:[^/]*@|[^?#]*[?#])/i.test(address);
}
