FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/urmom-bot && /opt/urmom-bot/bin/pip install --no-cache-dir -c constraints.txt '.[openai]'

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 urmom && mkdir /data && chown urmom /data
COPY --from=build /opt/urmom-bot /opt/urmom-bot
USER urmom
ENV PATH=/opt/urmom-bot/bin:$PATH DATA_DIR=/data PYTHONUNBUFFERED=1
# The process is healthy while its memory answers.
HEALTHCHECK --interval=60s --timeout=20s --start-period=30s --retries=3 CMD ["urmom-bot", "migrate"]
CMD ["urmom-bot", "run"]
