# The site as an image. How it is run: compose.yaml and docs/operations.md.
# With --build-arg REQUIREMENTS=requirements-pdf.txt it makes PDFs of the books too.
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    STATIC_ROOT=/app/staticfiles \
    VAR_DIR=/data

# The number is fixed, as it owns the files of the volume.
RUN useradd --system --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin duozhu
WORKDIR /app

ARG REQUIREMENTS=requirements.txt
RUN if [ "$REQUIREMENTS" = requirements-pdf.txt ]; then \
        apt-get update \
        && apt-get install --yes --no-install-recommends \
            fonts-noto-cjk libharfbuzz-subset0 libpango-1.0-0 libpangoft2-1.0-0 \
        && rm -rf /var/lib/apt/lists/*; \
    fi
COPY requirements.txt requirements-pdf.txt ./
RUN pip install --require-hashes -r "$REQUIREMENTS"

COPY . .
# The translations are compiled already. This command needs no secret that is worth anything.
RUN SECRET_KEY=only-for-this-command ALLOWED_HOSTS=localhost python manage.py collectstatic --no-input
RUN python -m compileall -q config core engine scoring tournament

USER duozhu
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "gunicorn", "--config", "config/gunicorn.py", "--bind", "0.0.0.0:8000"]
