# The base is pinned to a patch release; raise both lines together.
FROM python:3.12.8-slim-bookworm AS build
WORKDIR /src
RUN python -m venv /opt/urmom-bot
# Dependencies first: they change less often than the sources, and stay in Docker's cache.
COPY pyproject.toml constraints.txt ./
RUN python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
        print('\n'.join(p['dependencies'] + p['optional-dependencies']['openai']))" > requirements.txt \
    && /opt/urmom-bot/bin/pip install --no-cache-dir -c constraints.txt -r requirements.txt
COPY . .
RUN /opt/urmom-bot/bin/pip install --no-cache-dir -c constraints.txt --no-deps .

FROM python:3.12.8-slim-bookworm
RUN useradd --create-home --uid 10001 urmom && mkdir /data && chown 10001:10001 /data
COPY --from=build /opt/urmom-bot /opt/urmom-bot
USER 10001:10001
ENV PATH=/opt/urmom-bot/bin:$PATH DATA_DIR=/data PYTHONUNBUFFERED=1
VOLUME /data
# `urmom-bot setup` writes .env here, and the bot reads it.
WORKDIR /data
# Healthy: Discord and the database answer, and messages arrive.
HEALTHCHECK --interval=60s --timeout=20s --start-period=60s --retries=3 CMD ["urmom-bot", "health"]
CMD ["urmom-bot", "run"]
