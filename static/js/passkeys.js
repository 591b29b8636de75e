// Passkeys need a browser and an address that can: https, or this machine itself. What offers them
// is hidden until then; what says why not is shown instead.
const can = window.isSecureContext && 'PublicKeyCredential' in window

for (const part of document.querySelectorAll('[data-passkeys]')) part.hidden = !can
for (const part of document.querySelectorAll('[data-passkeys-missing]')) part.hidden = can

document.addEventListener('allauth.error', (event) => {
  event.preventDefault()
  for (const part of document.querySelectorAll('[data-passkeys-failed]')) part.hidden = false
})
