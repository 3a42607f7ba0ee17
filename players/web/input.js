// Mouse, touch and keyboard for a camera: one pointer turns, two pinch and move, the wheel zooms.

/** Calls changed() after every change. Returns nothing; lives as long as the page. */
export function steer(canvas, camera, changed) {
  const pointers = new Map();

  const middle = () => {
    const points = [...pointers.values()];
    const x = points.reduce((sum, p) => sum + p.x, 0) / points.length;
    const y = points.reduce((sum, p) => sum + p.y, 0) / points.length;
    const apart = points.length > 1 ? Math.hypot(points[0].x - points[1].x, points[0].y - points[1].y) : 0;
    return { x, y, apart };
  };

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return;
    const before = middle();
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = middle();
    const dx = after.x - before.x;
    const dy = after.y - before.y;
    const moves = pointers.size > 1 || event.shiftKey || (event.buttons & 6) !== 0;
    if (moves) camera.pan(dx, dy, canvas.clientHeight);
    else camera.turn(-dx * 0.006, dy * 0.006);
    if (before.apart > 0 && after.apart > 0) camera.zoom(Math.log(after.apart / before.apart) / 0.16);
    changed();
  });
  for (const name of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 33 : 1;
      camera.zoom((-event.deltaY * lines) / 100);
      changed();
    },
    { passive: false },
  );
  window.addEventListener('keydown', (event) => {
    if (event.target.matches?.('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
    const pixels = 24;
    const moves = {
      ArrowLeft: () => (event.shiftKey ? camera.pan(pixels, 0, canvas.clientHeight) : camera.turn(-0.08, 0)),
      ArrowRight: () => (event.shiftKey ? camera.pan(-pixels, 0, canvas.clientHeight) : camera.turn(0.08, 0)),
      ArrowUp: () => (event.shiftKey ? camera.pan(0, pixels, canvas.clientHeight) : camera.turn(0, 0.06)),
      ArrowDown: () => (event.shiftKey ? camera.pan(0, -pixels, canvas.clientHeight) : camera.turn(0, -0.06)),
      '+': () => camera.zoom(1),
      '=': () => camera.zoom(1),
      '-': () => camera.zoom(-1),
    };
    if (!moves[event.key]) return;
    moves[event.key]();
    event.preventDefault();
    changed();
  });
}
